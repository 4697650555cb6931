'use client';

import { useTranslations } from 'next-intl';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { PostedMessage } from '@/lib/chat/schema';
import { withNext } from '@/lib/identity/schema';
import { startGuest } from '../../../chat/guests/start-guest';
import {
  mergeWithDraft,
  readDraft,
  saveDraft,
  savePendingMessage,
  takePendingMessage,
} from '../../../chat/state/drafts';
import { newUuid } from '../../../chat/state/message-content';
import { announceAnswerTo } from '../../../chat/thread/use-announcements';
import { callApi } from '../../../forms/call-api';
import { Textarea } from '../../../forms/inputs';
import { usePrehydrationValue } from '../../../forms/use-initial-text';
import { agentPath, newChatPath, routes } from '../../../routes';
import { Button, LinkButton } from '../../../ui/controls/button';
import { Alert } from '../../../ui/display/alert';
import { lazyComponent } from '../../../ui/overlays/lazy';
import { subscribeToExamples } from './try-example';

// The chat's thread, loaded on demand.
const Answer = lazyComponent(async () => (await import('./answer')).Answer);

interface TryItProps {
  agent: { slug: string; name: string };
  signedIn: boolean;
  /** True if visitors without an account can send messages. */
  isOpenToGuests: boolean;
  /** True when the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
}

/** Tries the agent on its page: one message, and the streamed answer below it. */
export function TryIt({ agent, signedIn, isOpenToGuests, resume }: TryItProps): ReactNode {
  const t = useTranslations('market.tryIt');
  const { slug, name } = agent;
  const { text, write, field, pending, checked, problem, posted, submit } = useTry({
    slug,
    signedIn,
    isOpenToGuests,
    resume,
  });

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // Enter that ends an IME composition does not send. Some browsers indicate this only by the key code.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  }

  return (
    <div className="space-y-4">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label className="sr-only" htmlFor="try-text">
          {t('label', { name })}
        </label>
        <Textarea
          enterKeyHint="send"
          id="try-text"
          maxLength={20_000}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={t('placeholder', { name })}
          ref={field}
          rows={2}
          value={text}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={text.trim() === ''} pending={pending} tone="primary" type="submit">
            {t('send')}
          </Button>
          <LinkButton href={newChatPath(slug, text.slice(0, 2_000) || undefined)} tone="quiet">
            {t('openChat')}
          </LinkButton>
          {signedIn ? null : <span className="text-sm text-muted">{t(isOpenToGuests ? 'free' : 'signIn')}</span>}
        </div>
      </form>
      {checked ? (
        <p className="text-sm text-muted" role="status">
          {t('checked')}
        </p>
      ) : null}
      {problem ? (
        <Alert live="assertive" title={t('notSent')} tone="danger">
          {problem}
        </Alert>
      ) : null}
      {posted ? (
        <Suspense fallback={<p className="text-sm text-muted">{t('waiting')}</p>}>
          <Answer
            agent={agent}
            branch={posted.branch}
            conversationId={posted.conversationId}
            key={posted.conversationId}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

interface TryOptions {
  slug: string;
  signedIn: boolean;
  /** True if visitors without an account can send messages. */
  isOpenToGuests: boolean;
  /** True if the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
}

interface Try {
  text: string;
  write: (text: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  pending: boolean;
  /** True while the browser proves that it is not a bot. */
  checked: boolean;
  /** The reason why the last message was not sent; empty if there is none. */
  problem: string;
  /** The conversation that the last message began. */
  posted: PostedMessage | null;
  submit: () => void;
}

/**
 * Returns a message that is sent from an agent's page with the chat's API. It is stored while the user writes it, and
 * is sent once.
 */
function useTry({ slug, signedIn, isOpenToGuests, resume }: TryOptions): Try {
  const key = `page.${slug}`;
  const [text, setText] = useState('');
  const [posted, setPosted] = useState<PostedMessage | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  const write = useCallback(
    (next: string) => {
      setText(next);
      saveDraft(key, next);
    },
    [key],
  );
  usePrehydrationValue(field, (early) => write(mergeWithDraft(key, early)));
  const tried = useRef<{ messageId: string; text: string } | null>(null);
  const maySend = signedIn || isOpenToGuests;
  const { send, pending, checked, problem } = usePost({ slug, asGuest: !signedIn }, (message) => {
    tried.current = null;
    write('');
    announceAnswerTo(message.taskId);
    setPosted(message);
  });

  // The pending message is removed before it is sent, so that a reload or a second visit does not send it again.
  const isResumed = useRef(false);
  useEffect(() => {
    if (isResumed.current) return;
    isResumed.current = true;
    const returns = maySend && resume;
    const waiting = takePendingMessage(key, { returns });
    setText((now) => waiting?.text ?? (readDraft(key) || now));
    if (!waiting || !returns) return;
    tried.current = waiting;
    void send(waiting);
  }, [key, maySend, resume, send]);

  useEffect(
    () =>
      subscribeToExamples((example) => {
        write(example);
        field.current?.focus();
        if (maySend) submitText.current(example);
      }),
    [maySend, write],
  );

  const submitText = useRef(submitThis);
  submitText.current = submitThis;

  function submitThis(written: string): void {
    const trimmed = written.trim();
    if (trimmed === '' || pending) return;
    // A message without a response may have arrived. With the same id, it is the same message.
    const messageId = tried.current?.text === trimmed ? tried.current.messageId : newUuid();
    const message = { messageId, text: trimmed };
    tried.current = message;
    if (maySend) return void send(message);
    savePendingMessage(key, { ...message, files: [], taskId: undefined });
    window.location.assign(withNext(routes.signIn, `${agentPath(slug)}?try=1#try`, { reason: 'send' }));
  }

  return { text, write, field, pending, checked, problem, posted, submit: () => submitThis(text) };
}

interface Post {
  send: (message: { messageId: string; text: string }) => Promise<void>;
  pending: boolean;
  /** True while the browser proves that it is not a bot. */
  checked: boolean;
  problem: string;
}

function usePost(
  { slug: agentSlug, asGuest }: { slug: string; asGuest: boolean },
  onPosted: (posted: PostedMessage) => void,
): Post {
  const [pending, setPending] = useState(false);
  const [checked, setChecked] = useState(false);
  const [problem, setProblem] = useState('');

  async function send({ messageId, text }: { messageId: string; text: string }): Promise<void> {
    setPending(true);
    setProblem('');
    const refusal = asGuest ? await startGuest(() => setChecked(true)) : null;
    setChecked(false);
    if (refusal !== null) {
      setPending(false);
      return setProblem(refusal);
    }
    const answer = await callApi('POST', '/api/chat/messages', { messageId, text, files: [], agentSlug });
    setPending(false);
    if (answer.ok) onPosted(answer.body as PostedMessage);
    else setProblem(answer.problem.title);
  }

  return { send, pending, checked, problem };
}
