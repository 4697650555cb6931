import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { settingsRoutes } from '../../../settings-routes';
import { Tabs } from '../../../ui/controls/tabs';
import { CodeBlock } from '../../../ui/display/code-block';
import { callLines } from '../../listing/curl-lines';
import { commandLine, javascriptProgram, pythonProgram, sdkProgram } from './call-programs';

export interface CallItProps {
  agent: AgentDetail;
  /** Fresh UUIDs, one per message of the example. */
  messageIds: [string, string];
}

/** Code samples for a terminal or a program that contain this agent's data and run unchanged. */
export function CallIt({ agent, messageIds }: CallItProps): ReactNode {
  const t = useTranslations('market.callIt');
  const { url, slug } = agent;
  const text = agent.skills.flatMap((skill) => skill.examples)[0] ?? t('hello');
  const target = { url, slug, text };
  const tabs = [
    { id: 'curl', label: 'curl', panel: <Curl agent={agent} messageIds={messageIds} text={text} /> },
    {
      id: 'javascript',
      label: 'JavaScript',
      panel: <CodeBlock code={javascriptProgram(target)} label={t('javascriptProgram')} />,
    },
    { id: 'sdk', label: t('sdk'), panel: <CodeBlock code={sdkProgram(target)} label={t('sdkProgram')} /> },
    { id: 'python', label: 'Python', panel: <CodeBlock code={pythonProgram(target)} label={t('pythonProgram')} /> },
    { id: 'cli', label: 'CLI', panel: <Cli code={commandLine(target)} /> },
  ];
  return (
    <ol className="space-y-8">
      <Step number={1} title={t('tokenTitle')}>
        <p className="mb-3 text-sm text-muted">
          {t.rich('tokenHow', {
            settings: (chunks) => (
              <Link className="text-link" href={settingsRoutes.accessTokens} prefetch={false}>
                {chunks}
              </Link>
            ),
          })}
        </p>
        <CodeBlock code="read -rs PARLEY_TOKEN && export PARLEY_TOKEN" label={t('accessToken')} />
      </Step>
      <Step number={2} title={t('callTitle')}>
        <Tabs label={t('ways')} tabs={tabs} />
      </Step>
    </ol>
  );
}

function Curl({ agent, messageIds, text }: CallItProps & { text: string }): ReactNode {
  const t = useTranslations('market.callIt');
  const lines = callLines({ url: agent.url, slug: agent.slug, text, messageIds });
  const streams = agent.badges.includes('streaming');
  return (
    <div className="space-y-4">
      <CodeBlock code={lines.handshake} label={t('handshake')} />
      <p className="text-sm text-muted">
        {t.rich('tokenLife', { agent: agent.name, name: (chunks) => <bdi>{chunks}</bdi> })}
      </p>
      <CodeBlock code={lines.send} label={t('sendMessage')} />
      <p className="text-sm text-muted">{t('idempotency')}</p>
      {streams ? <CodeBlock code={lines.stream} label={t('watchAnswer')} /> : null}
    </div>
  );
}

function Cli({ code }: { code: string }): ReactNode {
  const t = useTranslations('market.callIt');
  return (
    <>
      <CodeBlock code={code} label={t('command')} />
      <p className="mt-4 text-sm text-muted">
        {t.rich('commandHow', { login: () => <code className="font-mono text-xs">parley auth login</code> })}
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
