// What the script adds to signing pages, all of which work without it.
import { watchTexts } from './text-layer.ts';

watchTexts(document);
