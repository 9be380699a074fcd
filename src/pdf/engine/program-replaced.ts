// Is thrown where the files of the program are those of another build than the one that runs, because the package was installed over it.
// Messages to a child (`frames.ts`) have no version of their own, so that no new child of this engine works until the process is restarted.

export class ProgramReplacedError extends Error {
  override name = 'ProgramReplacedError';

  constructor() {
    super(
      'The files of esign were replaced by another version while this process was running, so that no document can be opened. Restart it.',
    );
  }
}
