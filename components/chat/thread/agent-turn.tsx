'use client';

import { useTranslations } from 'next-intl';
import { memo, type ReactNode, Suspense } from 'react';
import type { Artifact, Part } from '../../../lib/protocol/a2a/core/model';
import { isObject } from '../../../lib/protocol/json';
import { Button } from '../../ui/controls/button';
import { CopyButton } from '../../ui/controls/copy-button';
import { AgentMark } from '../../ui/display/agent-mark';
import { lazyComponent } from '../../ui/overlays/lazy';
import { isRunning, textOfBlocks } from '../state/agent-item';
import type { CardReply } from '../state/message-content';
import { mayBeOutcome } from '../state/message-content';
import { artifactKey, isPayment } from '../state/to-artifacts';
import type { AgentItem, Block } from '../state/to-items';
import { AgentParts } from './agent-parts';
import { MessageTime } from './message-time';
import { TurnActions, TurnTimeline } from './turn-actions';

// Most turns end as intended.
const TurnNotice = lazyComponent(async () => (await import('./turn-notice')).TurnNotice);

// Needed only after a payment.
const PaidLine = lazyComponent(async () => (await import('../chains/paid-lines')).PaidLine);
const RichArtifact = lazyComponent(async () => (await import('./rich-parts')).RichArtifact);

export interface AgentTurnProps {
  item: AgentItem;
  agent: { slug: string; name: string };
  /** True if the composer is already answering this question. */
  answering: boolean;
  onAnswer: (taskId: string) => void;
  onSendAgain: (parts: Part[]) => void;
  /** Shows an artifact in the panel. */
  onOpenArtifact: (id: string) => void;
  /** Sends a reply from a card's button on behalf of the user, as the answer to this task's question. */
  onReply: (reply: CardReply, taskId: string) => void;
}

/**
 * One turn of an agent. All output of the agent is inside of the frame with its name. Task state, outcome and actions
 * are written by Parley and are outside of it, so that agents cannot imitate Parley.
 */
export const AgentTurn = memo(function AgentTurn({ item, agent, answering, ...actions }: AgentTurnProps): ReactNode {
  const t = useTranslations('chat.agentTurn');
  const { blocks, phase, turnStatus, steps } = item;
  const waits = phase === 'asks' || phase === 'needs-auth';
  return (
    <article className="group/message space-y-2">
      {blocks.length > 0 ? <AgentFrame agent={agent} item={item} {...actions} /> : null}
      <div className="flex flex-wrap items-start justify-between gap-x-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <TurnTimeline phase={phase} steps={steps} />
          {phase !== 'answered' && mayBeOutcome(item.promptParts) ? (
            <Suspense fallback={null}>
              <PaidLine taskId={item.taskId} />
            </Suspense>
          ) : null}
        </div>
        <TurnActions item={item} />
      </div>
      {waits && !answering ? (
        <Button onClick={() => actions.onAnswer(item.taskId)} size="sm">
          {t('answer')}
        </Button>
      ) : null}
      {turnStatus ? (
        <Suspense fallback={null}>
          <TurnNotice
            onSendAgain={item.promptParts.length > 0 ? () => actions.onSendAgain(item.promptParts) : null}
            status={turnStatus}
          />
        </Suspense>
      ) : null}
    </article>
  );
});

type AgentFrameProps = Pick<AgentTurnProps, 'agent' | 'item' | 'onOpenArtifact' | 'onReply'>;

function AgentFrame({ agent, item, onOpenArtifact, onReply }: AgentFrameProps): ReactNode {
  const t = useTranslations('chat.agentTurn');
  const { taskId, phase, steps } = item;
  const finishedAt = isRunning(phase) ? null : steps.at(-1)?.timestamp;
  const text = textOfBlocks(item.blocks);
  const reply = phase === 'asks' ? (answer: CardReply) => onReply(answer, taskId) : undefined;
  return (
    <div className="overflow-clip rounded-lg border border-line bg-surface shadow-card">
      <div className="flex min-h-11 items-center gap-2.5 border-b border-line py-1 pe-1.5 ps-3">
        <AgentMark size={22} slug={agent.slug} />
        <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">
          <bdi>{agent.name}</bdi>
        </h2>
        {finishedAt ? <MessageTime iso={finishedAt} /> : null}
        {text && !isRunning(phase) ? <CopyButton text={text} what={t('thisAnswer')} /> : null}
      </div>
      <div className="space-y-4 px-4 py-3.5">
        {item.blocks.map((block) =>
          block.kind === 'message' ? (
            <AgentParts
              agentName={agent.name}
              key={block.key}
              onReply={reply}
              parts={block.parts}
              source={{ taskId, kind: 'message', id: block.messageId }}
            />
          ) : block.kind === 'replaced' ? (
            <p className="text-sm text-muted" key={block.key}>
              {t.rich('replaced', { name: () => <bdi>{block.name ?? t('artifact')}</bdi> })}
            </p>
          ) : (
            <ArtifactBlock
              agentName={agent.name}
              block={block}
              key={block.key}
              onOpen={() => onOpenArtifact(artifactKey(taskId, block.artifact.artifactId))}
              onReply={reply}
              taskId={taskId}
            />
          ),
        )}
      </div>
    </div>
  );
}

interface ArtifactBlockProps {
  block: Block & { kind: 'artifact' };
  taskId: string;
  agentName: string;
  onOpen: () => void;
  onReply?: (reply: CardReply) => void;
}

function ArtifactBlock({ block, taskId, agentName, onOpen, onReply }: ArtifactBlockProps): ReactNode {
  const t = useTranslations('chat.agentTurn');
  const { artifact, streaming } = block;
  return (
    <section className="space-y-2">
      {artifact.name && !hasOwnTitle(artifact) && !isPayment(artifact) ? (
        <button
          className="inline-flex min-h-6 items-center rounded-sm text-xs font-medium text-muted hover:text-ink hover:underline touch:min-h-11"
          onClick={onOpen}
          title={t('showInPanel')}
          type="button"
        >
          <bdi>{artifact.name}</bdi>
        </button>
      ) : null}
      {artifact.parts.every(({ kind, mediaType }) => kind === 'text' && !mediaType?.startsWith('text/html')) ? (
        <AgentParts
          agentName={agentName}
          onReply={onReply}
          parts={artifact.parts}
          source={null}
          streaming={streaming}
        />
      ) : (
        <Suspense fallback={<p className="text-sm text-muted">{t('loading')}</p>}>
          <RichArtifact
            agentName={agentName}
            artifact={artifact}
            onReply={onReply}
            streaming={streaming}
            taskId={taskId}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Returns true if a card inside displays the artifact's name itself, as a chart does. */
function hasOwnTitle({ name, parts }: Artifact): boolean {
  return parts.some((part) => part.kind === 'data' && isObject(part.data) && part.data.title === name);
}
