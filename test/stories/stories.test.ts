// Runs the stories about transactions, the sandbox and logins: *.txt files in folders beside this one. README.md says how they are written.
import { describeStories, isAboutSigning } from '../support/stories/describe-stories.ts';

describeStories(isAboutSigning);
