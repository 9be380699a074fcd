// Runs the stories that stories.test.ts leaves: those about profiles, settings, remote services, events, help and others.
import { describeStories, isAboutSigning } from '../support/stories/describe-stories.ts';

describeStories((area) => !isAboutSigning(area));
