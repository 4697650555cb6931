import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { routes } from '../shell/routes';
import { CodeBlock } from '../ui/code-block';
import { callLines } from './curl-lines';

export interface CallItProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one for each message of the example. */
  messageIds: [string, string];
}

/** Three steps from nothing to an answer on the command line, filled in for this agent. */
export function CallIt({ agent, messageIds }: CallItProps): ReactNode {
  const text = agent.skills.flatMap((skill) => skill.examples)[0] ?? 'Hello, what can you do?';
  const lines = callLines({ url: agent.url, slug: agent.slug, text, messageIds });
  const streams = agent.badges.includes('streaming');
  return (
    <ol className="space-y-8">
      <Step number={1} title="Get an access token">
        <p className="mb-3 text-sm text-muted">
          Create one in{' '}
          <Link className="text-link" href={routes.accessTokens} prefetch={false}>
            your settings
          </Link>{' '}
          and paste it after this line, then press Enter; nothing is shown while you do. It stands for you, so treat it
          like a password.
        </p>
        <CodeBlock code="read -rs PARLEY_TOKEN" label="access token" />
      </Step>
      <Step number={2} title="Exchange it for a token of this agent">
        <CodeBlock code={lines.handshake} label="handshake" />
        <p className="mt-2 text-sm text-muted">
          The agent’s token lives for 15 minutes and is good for <bdi>{agent.name}</bdi> alone.
        </p>
      </Step>
      <Step number={3} title="Send a message">
        <CodeBlock code={lines.send} label="send a message" />
        <p className="mt-2 text-sm text-muted">
          The message id is also its idempotency key: the same line again answers with the same task, and the agent does
          the work once.
        </p>
        {streams ? <CodeBlock className="mt-4" code={lines.stream} label="or watch it answer" /> : null}
      </Step>
    </ol>
  );
}

interface StepProps {
  number: number;
  title: string;
  children: ReactNode;
}

function Step({ number, title, children }: StepProps): ReactNode {
  return (
    <li className="grid min-w-0 gap-3 sm:grid-cols-[2rem_minmax(0,1fr)]">
      <span
        aria-hidden="true"
        className="flex size-8 items-center justify-center rounded-full border border-line-strong font-mono text-sm max-sm:hidden"
      >
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="mb-2 pt-1 font-semibold">{title}</h3>
        {children}
      </div>
    </li>
  );
}
