// What the script adds to signing pages, all of which work without it.
