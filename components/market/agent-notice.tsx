import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Notice } from '@/lib/catalog/schema';
import { agentPath } from '../routes';
import { Alert } from '../ui/display/alert';

/** The team's notice about an agent. */
export function AgentNotice({ notice: { kind, text, replacement } }: { notice: Notice }): ReactNode {
  const t = useTranslations('market.agentNotice');
  return (
    <Alert title={t(`title.${kind}`)} tone={kind === 'note' ? 'info' : 'warn'}>
      {text ? <p dir="auto">{text}</p> : null}
      {replacement ? (
        <p>
          {t.rich('replacement', {
            slug: replacement,
            agent: (chunks) => (
              <Link className="text-link" href={agentPath(replacement)} prefetch={false}>
                {chunks}
              </Link>
            ),
          })}
        </p>
      ) : null}
    </Alert>
  );
}
