import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type FormEvent, type KeyboardEvent, type ReactNode, Suspense, useContext, useId, useState } from 'react';
import type { ChainInterrupt, ChainTaskView } from '../../../lib/tasks/schema-chains';
import { Textarea } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { announce } from '../../ui/overlays/announcer';
import { lazyComponent } from '../../ui/overlays/lazy';
import { toast } from '../../ui/overlays/toast';
import { Markdown } from '../parts/markdown';
import { call, chainUrl } from '../state/api';
import { ChainActionsContext } from '../state/chains';
import { newUuid } from '../state/message-content';
import { useProblem } from '../state/use-problem';

const ChainCart = lazyComponent(async () => (await import('../parts/payment/cart-card')).ChainCart);

export interface ChainInterruptProps {
  rootTaskId: string;
  task: ChainTaskView;
  interrupt: ChainInterrupt;
}

/** A delegated task's question, sign-in or cart, which the user answers in the conversation of the root task. */
export function ChainInterruptBox({ rootTaskId, task, interrupt }: ChainInterruptProps): ReactNode {
  const t = useTranslations('chat.chain');
  const tSending = useTranslations('chat.useSending');
  const { sent, pending, send } = useAnswer(rootTaskId, task);
  const { kind, text, orderId } = interrupt;
  return (
    <section
      aria-label={t(`interruptLabel.${kind}`, { agent: task.agent.name })}
      className={clsx(
        'mt-1 mb-1.5 space-y-2.5 rounded-md max-sm:-ms-8',
        // A cart has its own frame.
        kind !== 'cart' && 'border border-accent/30 bg-accent-soft p-3',
      )}
      data-waits=""
      tabIndex={-1}
    >
      {text === '' ? null : <Markdown streaming={false} text={text} />}
      {sent ? (
        <p className="text-muted" role="status">
          {t('answerSent')}
        </p>
      ) : kind === 'question' ? (
        <ReplyForm agentName={task.agent.name} onSend={send} pending={pending} />
      ) : kind === 'sign-in' ? (
        <>
          <p className="text-xs text-muted">{t('signInHint')}</p>
          <Button onClick={() => void send(tSending('authorized'))} pending={pending} size="sm" tone="primary">
            {t('continue')}
          </Button>
        </>
      ) : null}
      {kind === 'cart' && orderId !== null ? (
        <Suspense fallback={<p className="text-muted">{t('loading')}</p>}>
          <ChainCart agentName={task.agent.name} onReply={(answer) => void send(answer)} orderId={orderId} />
        </Suspense>
      ) : null}
    </section>
  );
}

interface Answer {
  /** True if the server has accepted the answer and the task's next state is pending. */
  sent: boolean;
  pending: boolean;
  send: (text: string) => Promise<boolean>;
}

/** Sends a message of the user to a delegated task. */
function useAnswer(rootTaskId: string, { taskId, agent }: ChainTaskView): Answer {
  const t = useTranslations('chat.chain');
  const problemOf = useProblem();
  const actions = useContext(ChainActionsContext);
  const [state, setState] = useState<'open' | 'pending' | 'sent'>('open');
  // The id is the same on a retry, so that the message is sent only once.
  const [messageId] = useState(newUuid);

  async function send(text: string): Promise<boolean> {
    setState('pending');
    try {
      await answerDelegatedTask(rootTaskId, taskId, { messageId, text });
      setState('sent');
      announce(t('answered', { agent: agent.name }));
      actions?.reload(rootTaskId);
      return true;
    } catch (error) {
      setState('open');
      toast({ tone: 'danger', text: t('notAnswered', { problem: problemOf(error) }) });
      return false;
    }
  }
  return { sent: state === 'sent', pending: state === 'pending', send };
}

interface ReplyFormProps {
  agentName: string;
  pending: boolean;
  onSend: (text: string) => Promise<boolean>;
}

/** A reply form. Enter sends, and Shift+Enter inserts a line break, as in the composer. */
function ReplyForm({ agentName, pending, onSend }: ReplyFormProps): ReactNode {
  const t = useTranslations('chat.chain');
  const [text, setText] = useState('');
  const id = useId();
  const empty = text.trim() === '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!empty && !pending) void onSend(text.trim());
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <form className="space-y-2" onSubmit={submit}>
      <label className="block text-xs font-medium" htmlFor={id}>
        {t.rich('yourAnswer', { agent: () => <UntrustedText text={agentName} /> })}
      </label>
      <Textarea
        dir="auto"
        enterKeyHint="send"
        id={id}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        rows={2}
        value={text}
      />
      <Button aria-disabled={empty} pending={pending} size="sm" tone="primary" type="submit">
        {t('answer')}
      </Button>
    </form>
  );
}

/** Sends the user's answer to a delegated task. */
function answerDelegatedTask(
  rootTaskId: string,
  taskId: string,
  message: { messageId: string; text: string },
): Promise<unknown> {
  return call('POST', `${chainUrl(rootTaskId)}/tasks/${encodeURIComponent(taskId)}/messages`, message);
}
