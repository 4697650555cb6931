// A worker in a process of its own, which tests can freeze and kill. Its argument: options of `connect`, as JSON.
// Answers with "begun;", and with "done;" after a line on its input. Writes a line of JSON for each state and turn.
import { connect } from '@parley/agent/serve';

const report = (line) => console.log(JSON.stringify(line));
let proceed;
const permission = new Promise((resolve) => {
  proceed = resolve;
});
process.stdin.once('data', () => proceed());
process.stdin.once('end', () => process.exit(1));

await connect({
  ...JSON.parse(process.argv[2]),
  async *handle({ runId, attempt }) {
    report({ started: runId, attempt });
    yield 'begun;';
    await permission;
    yield 'done;';
  },
  onTurn: ({ outcome }) => report({ outcome }),
  onState: (state) => report({ state }),
});
