import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { buttonClass } from '../ui/controls/button';
import { CodeBlock } from '../ui/display/code-block';
import { DownloadIcon } from '../ui/display/icons';
import { HighlightedJson } from './highlighted-json';

/** The card Parley serves, to read, copy and download, and a link to the original. */
export function CardSource({ agent }: { agent: AgentDetail }): ReactNode {
  const t = useTranslations('market.cardSource');
  return (
    <>
      <CodeBlock
        actions={
          <a
            className={buttonClass({ tone: 'quiet', size: 'sm' })}
            download={`${agent.slug}.agent-card.json`}
            href={agent.cardUrl}
          >
            <DownloadIcon size={16} />
            {t('download')}
          </a>
        }
        code={agent.cardJson}
        label="agent-card.json"
        maxHeight="32rem"
      >
        <HighlightedJson json={agent.cardJson} />
      </CodeBlock>
      <p className="mt-3 text-sm text-muted">
        {t.rich('where', {
          url: agent.cardUrl,
          file: 'upstream-card.json',
          card: (chunks) => (
            <a className="text-link break-all" href={agent.cardUrl}>
              {chunks}
            </a>
          ),
          upstream: (chunks) => (
            <a className="text-link" href={`${agent.url}/upstream-card.json`}>
              {chunks}
            </a>
          ),
        })}
      </p>
    </>
  );
}
