// Calls an agent through Parley and prints its answer as it arrives.
import { createClient } from '@parley/agent';

const { PARLEY_URL = 'http://localhost:3000', PARLEY_TOKEN = '', AGENT = 'analyst' } = process.env;

const client = createClient({ url: PARLEY_URL, accessToken: PARLEY_TOKEN });

for await (const event of client.stream(AGENT, 'city,price\nRome,12\nMilan,14')) {
  if ('artifactUpdate' in event) {
    for (const part of event.artifactUpdate.artifact.parts) process.stdout.write(part.text ?? '');
  }
}
