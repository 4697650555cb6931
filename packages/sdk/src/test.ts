// Tests of A2A agents and of their callers. The command `parley test` and Parley's console run the same checks.
export { fromV03Event, toV03Message } from './test/a2a-v03.js';
export type { AgentCall } from './test/agent/calls.js';
export { type Listening, listenOn } from './test/agent/listen.js';
export { type AgentDefinition, type Alterations, LocalAgent } from './test/agent/local-agent.js';
export { SUBJECTS } from './test/check.js';
export { CHECKS } from './test/checks/all-checks.js';
export type { TestTexts } from './test/inputs.js';
export { TEST_LIMITS, type TestLimits } from './test/limits.js';
export { type Fixture, type Recorded, record, replay } from './test/mock/fixtures.js';
export { type MockAgent, type MockAgentOptions, mockAgent } from './test/mock/mock-agent.js';
export { type CallerAnswer, type MockCaller, type MockCallerOptions, mockCaller } from './test/mock/mock-caller.js';
export { agentCard } from './test/mock/mock-card.js';
export type { MockFault } from './test/mock/mock-faults.js';
export type { Asked, MockStep, MockTurn } from './test/mock/mock-turns.js';
export type { CheckResult, Finding, Report } from './test/report.js';
export { type TestOptions, type TestTarget, testAgent } from './test/test-agent.js';
