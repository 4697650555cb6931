import type { AgentCard } from '@a2a-js/sdk';
import { createCard } from '../shared/card';
import type { AgentEnvironment } from '../shared/environment';

export function conformanceCard(environment: AgentEnvironment): AgentCard {
  return createCard(
    {
      name: 'Conformance',
      description:
        'Does exactly what it is told, so that clients and gateways can be tested against a real A2A agent: echoes every ' +
        'part, streams, asks, fails, and reports what it knows about its caller.',
      version: '1.0.0',
      organization: 'Parley',
      inputModes: ['text/plain', 'application/json', 'application/octet-stream', 'image/png', 'text/csv'],
      outputModes: [
        'text/plain',
        'text/markdown',
        'application/json',
        'application/octet-stream',
        'image/png',
        'text/csv',
      ],
      skills: [
        {
          id: 'echo',
          name: 'Echo',
          description: 'Sends every part of a message (text, file, data) back as one artifact.',
          tags: ['testing', 'echo'],
          examples: ['Hello there'],
        },
        {
          id: 'stream',
          name: 'Stream',
          description: 'Publishes an artifact in a given number of pieces, at full speed or one every 50 ms.',
          tags: ['testing', 'streaming', 'cancel'],
          examples: ['stream 10', 'slow 40'],
        },
        {
          id: 'states',
          name: 'Task states',
          description:
            'Ends a turn in the state that is asked for, which may also be "fail" or "reject", or answers with a message and no task.',
          tags: ['testing', 'states'],
          examples: ['ask', 'auth', 'message'],
        },
        {
          id: 'inspect',
          name: 'Inspect',
          description:
            'Reports the claims about the caller that Parley confirmed, or the names of the headers received.',
          tags: ['testing', 'identity'],
          examples: ['whoami', 'headers'],
        },
      ],
    },
    environment,
  );
}
