import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { buttonClass } from '../../ui/controls/button';
import { CodeBlock } from '../../ui/display/code-block';
import { DownloadIcon } from '../../ui/display/icons';

/** The card that Parley serves, for reading, copying and downloading, and a link to the original. */
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

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Pretty-printed JSON with highlighted names and values. The text is unchanged. */
function HighlightedJson({ json }: { json: string }): ReactNode {
  const out: ReactNode[] = [];
  let from = 0;
  for (const match of json.matchAll(token)) {
    const [whole, text, colon] = match;
    if (match.index > from) out.push(json.slice(from, match.index));
    const end = colon && text ? match.index + text.length : match.index + whole.length;
    const style = colon ? 'text-accent' : text ? 'text-ink' : 'text-warn';
    out.push(
      <span className={style} key={match.index}>
        {json.slice(match.index, end)}
      </span>,
    );
    from = end;
  }
  out.push(json.slice(from));
  return <span className="text-muted">{out}</span>;
}
