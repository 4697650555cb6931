'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useMemo, useState } from 'react';
import { type McpApp, pageOf } from '../../../../lib/protocol/mcp-apps/read-app';
import type { PartRef } from '../../../payments/offers/use-orders';
import { Button } from '../../../ui/controls/button';
import { CodeBlock } from '../../../ui/display/code-block';
import { ReplyRulesContext } from '../../state/agent-item';
import type { CardReply } from '../../state/message-content';
import { CardFrame } from '../card-frame';
import { AppFrame } from './app-frame';

interface AppCardProps {
  app: McpApp;
  partRef: PartRef | null;
  agentName: string;
  /** Sends a message as the answer to the agent's question. */
  onReply?: (reply: CardReply) => void;
}

/**
 * An app of the agent (MCP Apps), which starts when the person asks for it. Its page is in a sandbox with an opaque origin,
 * without requests or access to Parley.
 */
export function AppCard({ app, partRef, agentName, onReply }: AppCardProps): ReactNode {
  const t = useTranslations('parts.mcpApp');
  const [view, setView] = useState<'closed' | 'open' | 'source' | 'stopped'>('closed');
  const page = useMemo(() => pageOf(app), [app]);
  const send = useSend(partRef, onReply);
  if (page === null) return <p className="text-sm text-muted">{t('unreadable')}</p>;
  return (
    <CardFrame label={t('label', { agent: agentName })}>
      <div className="flex flex-wrap items-center gap-2 px-3 py-2.5">
        <p className="min-w-0 flex-1 basis-48 text-xs text-muted">{t(view === 'stopped' ? 'stopped' : 'hint')}</p>
        <Button onClick={() => setView(view === 'source' ? 'closed' : 'source')} size="sm" tone="quiet">
          {t(view === 'source' ? 'hideSource' : 'showSource')}
        </Button>
        <Button onClick={() => setView(view === 'open' ? 'closed' : 'open')} size="sm">
          {t(view === 'open' ? 'close' : 'open')}
        </Button>
      </div>
      {view === 'open' ? (
        <AppFrame agentName={agentName} app={app} onStop={() => setView('stopped')} page={page} send={send} />
      ) : null}
      {view === 'source' ? <CodeBlock code={page} label={t('source')} maxHeight="28rem" /> : null}
    </CardFrame>
  );
}

/**
 * Returns what sends a message: as the answer if the agent waits for one, as a new message if its turn is the last one.
 * Undefined if the app is history.
 */
function useSend(
  partRef: PartRef | null,
  onReply: ((reply: CardReply) => void) | undefined,
): ((reply: CardReply) => void) | undefined {
  const rules = useContext(ReplyRulesContext);
  if (onReply) return onReply;
  const last = rules?.items.at(-1);
  const isLast = last?.kind === 'agent' && last.phase === 'done' && last.taskId === partRef?.taskId;
  return isLast ? (reply) => rules?.reply(reply) : undefined;
}
