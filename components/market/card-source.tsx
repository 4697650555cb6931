import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { buttonClass } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { DownloadIcon } from '../ui/icons';
import { HighlightedJson } from './highlighted-json';

/** The card that Parley answers for, to read, copy and download, and the way to the one it was made from. */
export function CardSource({ agent }: { agent: AgentDetail }): ReactNode {
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
            Download
          </a>
        }
        code={agent.cardJson}
        label="agent-card.json"
        maxHeight="32rem"
      >
        <HighlightedJson json={agent.cardJson} />
      </CodeBlock>
      <p className="mt-3 text-sm text-muted">
        Clients discover this agent at{' '}
        <a className="text-link break-all" href={agent.cardUrl}>
          {agent.cardUrl}
        </a>
        . The card as its own server publishes it, byte for byte:{' '}
        <a className="text-link" href={`${agent.url}/upstream-card.json`}>
          upstream-card.json
        </a>
        .
      </p>
    </>
  );
}
