import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Wish } from '../../../../lib/protocol/mcp-apps/read-frame-message';
import { Button, buttonClass } from '../../../ui/controls/button';
import { CodeBlock } from '../../../ui/display/code-block';
import { ExternalIcon } from '../../../ui/display/icons';
import { UntrustedText } from '../../../ui/display/untrusted-text';
import type { CardReply } from '../../state/message-content';
import { PlainText } from '../part-boundary';

interface AppWishProps {
  wish: Wish;
  agentName: string;
  /** False if nothing can be sent to the agent any more. */
  canSend: boolean;
  /** Called with what is sent, with `opened` for a link, and with null if the person declines. */
  onDecide: (reply: CardReply | 'opened' | null) => void;
}

/** What an app asks for, in Parley's own words, below the app. Nothing happens until the person decides. */
export function AppWish({ wish, agentName, canSend, onDecide }: AppWishProps): ReactNode {
  const t = useTranslations('parts.mcpApp');
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <div
      aria-label={t('asks')}
      className="space-y-2 border-t border-line bg-accent-soft px-3 py-3 outline-none"
      ref={element}
      role="alertdialog"
      tabIndex={-1}
    >
      <p className="text-sm font-medium">
        {t.rich(`wish.${wish.kind}`, { agent: () => <UntrustedText text={agentName} /> })}
      </p>
      <WishDetails wish={wish} />
      {wish.kind !== 'link' && !canSend ? <p className="text-sm text-muted">{t('past')}</p> : null}
      <div className="flex flex-wrap gap-2">
        {wish.kind === 'link' ? (
          <a
            className={buttonClass({ size: 'sm', tone: 'primary' })}
            href={wish.url}
            onClick={() => onDecide('opened')}
            rel="noopener noreferrer nofollow ugc"
            target="_blank"
          >
            {t('openLink')}
            <ExternalIcon size={14} />
          </a>
        ) : canSend ? (
          <Button onClick={() => onDecide(replyOf(wish))} size="sm" tone="primary">
            {t(wish.kind === 'tool' ? 'callTool' : 'sendMessage')}
          </Button>
        ) : null}
        <Button onClick={() => onDecide(null)} size="sm">
          {t('decline')}
        </Button>
      </div>
    </div>
  );
}

function WishDetails({ wish }: { wish: Wish }): ReactNode {
  const t = useTranslations('parts.mcpApp');
  if (wish.kind === 'message') return <PlainText text={wish.text} />;
  if (wish.kind === 'link') {
    return (
      <p className="text-sm [overflow-wrap:anywhere]">
        <span className="font-medium">{new URL(wish.url).host}</span>{' '}
        <span className="text-xs text-muted">{wish.url}</span>
      </p>
    );
  }
  return (
    <>
      <p className="text-sm font-medium [overflow-wrap:anywhere]">
        <UntrustedText text={wish.name} />
      </p>
      <CodeBlock code={JSON.stringify(wish.input, null, 2)} label={t('values')} maxHeight="12rem" />
    </>
  );
}

function replyOf(wish: Exclude<Wish, { kind: 'link' }>): CardReply {
  if (wish.kind === 'message') return wish.text;
  const message = { tool: wish.name, arguments: wish.input };
  return { text: '', files: [], action: { label: wish.name, message } };
}
