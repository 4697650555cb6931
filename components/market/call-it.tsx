import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { routes } from '../shell/routes';
import { CodeBlock } from '../ui/code-block';
import { Tabs } from '../ui/tabs';
import { commandLine, javascriptProgram, pythonProgram } from './call-programs';
import { callLines } from './curl-lines';

export interface CallItProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one for each message of the example. */
  messageIds: [string, string];
}

/** From nothing to an answer in a terminal or a program, filled in for this agent: every text can be run as it stands. */
export function CallIt({ agent, messageIds }: CallItProps): ReactNode {
  const { url, slug } = agent;
  const text = agent.skills.flatMap((skill) => skill.examples)[0] ?? 'Hello, what can you do?';
  const target = { url, slug, text };
  const tabs = [
    { id: 'curl', label: 'curl', panel: <Curl agent={agent} messageIds={messageIds} text={text} /> },
    {
      id: 'javascript',
      label: 'JavaScript',
      panel: <CodeBlock code={javascriptProgram(target)} label="JavaScript program" />,
    },
    { id: 'python', label: 'Python', panel: <CodeBlock code={pythonProgram(target)} label="Python program" /> },
    { id: 'cli', label: 'CLI', panel: <Cli code={commandLine(target)} /> },
  ];
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
        <CodeBlock code="read -rs PARLEY_TOKEN && export PARLEY_TOKEN" label="access token" />
      </Step>
      <Step number={2} title="Call the agent">
        <Tabs label="Ways to call it" tabs={tabs} />
      </Step>
    </ol>
  );
}

function Curl({ agent, messageIds, text }: CallItProps & { text: string }): ReactNode {
  const lines = callLines({ url: agent.url, slug: agent.slug, text, messageIds });
  const streams = agent.badges.includes('streaming');
  return (
    <div className="space-y-4">
      <CodeBlock code={lines.handshake} label="handshake" />
      <p className="text-sm text-muted">
        The agent’s token lives for 15 minutes and is good for <bdi>{agent.name}</bdi> alone.
      </p>
      <CodeBlock code={lines.send} label="send a message" />
      <p className="text-sm text-muted">
        The message id is also its idempotency key: the same line again answers with the same task, and the agent does
        the work once.
      </p>
      {streams ? <CodeBlock code={lines.stream} label="or watch it answer" /> : null}
    </div>
  );
}

function Cli({ code }: { code: string }): ReactNode {
  return (
    <>
      <CodeBlock code={code} label="command" />
      <p className="mt-4 text-sm text-muted">
        Shows the answer as it comes; Ctrl-C cancels the task. Without a token in the environment,{' '}
        <code className="font-mono text-xs">parley auth login</code> signs you in through the browser.
      </p>
    </>
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
