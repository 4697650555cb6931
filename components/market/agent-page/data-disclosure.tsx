import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { Badge } from '../../ui/display/badge';
import { CheckIcon, CloseIcon } from '../../ui/display/icons';

/** The data that an agent receives when a user talks to it, and the data that it never receives, in plain sentences. */
export function DataDisclosure({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.whatItSees');
  const given = ['words', 'id', agent.canIdentifyCallers ? 'token' : 'tokenOnly', 'person'] as const;
  return (
    <div className="space-y-6">
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <Sentences
          icon={<CheckIcon className="mt-0.5 shrink-0 text-good" />}
          items={given.map((key) => t(`given.${key}`))}
          title={t('gets')}
        />
        <Sentences
          icon={<CloseIcon className="mt-0.5 shrink-0 text-danger" />}
          items={withheld.map((key) => t(`withheld.${key}`))}
          title={t('neverGets')}
        />
      </div>
      <OwnCredentials agent={agent} />
      <Extensions agent={agent} />
    </div>
  );
}

const withheld = ['password', 'conversations', 'acting', 'money'] as const;

interface SentencesProps {
  title: string;
  icon: ReactNode;
  items: string[];
}

function Sentences({ title, icon, items }: SentencesProps): ReactNode {
  return (
    <div className="rounded-lg border border-line bg-surface p-5">
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-3 space-y-3 text-sm">
        {items.map((item) => (
          <li className="flex gap-2.5" key={item}>
            {icon}
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OwnCredentials({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.whatItSees');
  return (
    <div>
      <h3 className="font-semibold">{t('credentials')}</h3>
      {agent.securitySchemes.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{t('noCredentials')}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line text-sm">
          {agent.securitySchemes.map(({ name, type, summary, scopes }) => (
            <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2.5" key={name}>
              <bdi className="font-mono text-xs">{name}</bdi>
              <Badge>{type}</Badge>
              <span className="min-w-0 flex-1 basis-60 text-muted" dir="auto">
                {summary}
                {scopes.length > 0 ? ` ${t('scopes', { scopes: scopes.join(', ') })}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Extensions({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.whatItSees');
  if (agent.extensions.length === 0) return null;
  return (
    <div>
      <h3 className="font-semibold">{t('extensions')}</h3>
      <ul className="mt-2 divide-y divide-line text-sm">
        {agent.extensions.map(({ uri, description, required, unsupported }) => (
          <li className="py-2.5" key={uri}>
            <span className="font-mono text-xs break-all">{uri}</span>
            {required ? <Badge className="ms-2">{t('required')}</Badge> : null}
            {description ? (
              <p className="mt-0.5 text-muted" dir="auto">
                {description}
              </p>
            ) : null}
            {unsupported ? <p className="mt-0.5 text-danger">{t('unsupported')}</p> : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
