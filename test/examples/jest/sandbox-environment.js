// Gives `createSandbox` to tests as a global. It is loaded by Node here: Jest's own loader fails when modules are imported at the
// same time (jestjs/jest#11434), and its fake timers would stop the sandbox.
import { createSandbox } from 'esign/testing';
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.createSandbox = createSandbox;
  }
}
