// Gives tests `createSandbox` as a global. Node loads it here: Jest's own loader may fail when modules are imported at the same
// time (https://github.com/jestjs/jest/issues/11434), and Jest's fake timers would stop the timers of the sandbox.
import { createSandbox } from '@esign-cli/esign/testing';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.createSandbox = createSandbox;
  }
}
