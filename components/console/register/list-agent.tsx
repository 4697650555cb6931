'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { ChoiceList } from '../../forms/choice-list';
import type { AppChoice } from '../agents/listing-fields';
import { ConnectingAgentForm } from './connecting-agent-form';
import { RegisterForm } from './register-form';

interface ListAgentProps {
  apps: AppChoice[];
  /** The initial URL. */
  url: string;
  /** The base URL of agents, with which the new agent's URL starts. */
  agentsUrl: string;
}

const connections = ['url', 'hub'] as const;

/** Lists an agent by its URL, or one that connects to Parley. */
export function ListAgent({ apps, url, agentsUrl }: ListAgentProps): ReactNode {
  const t = useTranslations('console.listAgent');
  const [connection, setConnection] = useState('url');
  return (
    <div className="space-y-8">
      <div className="max-w-lg">
        <ChoiceList
          choices={connections.map((value) => ({ value, label: t(`${value}.label`), hint: t(`${value}.hint`) }))}
          defaultValue="url"
          legend={t('legend')}
          name="connection"
          onChoose={setConnection}
        />
      </div>
      {connection === 'url' ? (
        <RegisterForm apps={apps} url={url} />
      ) : (
        <ConnectingAgentForm agentsUrl={agentsUrl} apps={apps} />
      )}
    </div>
  );
}
