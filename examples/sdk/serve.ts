import { serve } from '@parley/agent/serve';

const { PARLEY_URL = 'http://localhost:3000', PARLEY_AGENT = 'greeter' } = process.env;
const { PARLEY_CLIENT_ID = '', PARLEY_CLIENT_SECRET = '' } = process.env;

await serve({
  url: PARLEY_URL,
  agent: PARLEY_AGENT,
  clientId: PARLEY_CLIENT_ID,
  clientSecret: PARLEY_CLIENT_SECRET,
  async *handle(turn) {
    if (turn.text === 'ask') {
      yield turn.ask('What is your name?');
      return;
    }
    yield 'Hello, ';
    yield turn.text;
  },
});
