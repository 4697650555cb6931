import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { PostedMessage } from '@/lib/chat/schema';
import { callApi } from '../../account/call-api';
import { draftAnd, keepDraft, keepForSignIn, readDraft, takeAfterSignIn } from '../../chat/drafts';
import { newUuid } from '../../chat/new-uuid';
import { awaitAnswer } from '../../chat/use-announcements';
import { agentPath, signInPath } from '../../shell/routes';
import { useEarlyText } from '../../ui/use-early-text';
import { heardExample } from './try-example';

interface TryOptions {
  slug: string;
  signedIn: boolean;
  /** The person comes back from signing in: what they wrote before is sent. */
  resume: boolean;
}

interface Try {
  text: string;
  write: (text: string) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  pending: boolean;
  /** Why the last message was not sent; empty for no reason. */
  problem: string;
  /** The conversation that the last message began. */
  posted: PostedMessage | null;
  submit: () => void;
}

/** One message from an agent's page, by the chat's own path: kept while it is written, and sent once. */
export function useTry({ slug, signedIn, resume }: TryOptions): Try {
  const place = `page.${slug}`;
  const [text, setText] = useState('');
  const [posted, setPosted] = useState<PostedMessage | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(place, next);
    },
    [place],
  );
  useEarlyText(field, (early) => write(draftAnd(place, early)));
  const tried = useRef<{ messageId: string; text: string } | null>(null);
  const { send, pending, problem } = usePost(slug, (message) => {
    tried.current = null;
    write('');
    awaitAnswer(message.taskId);
    setPosted(message);
  });

  // What waits is taken out before it is sent: neither a reload nor a second look at this address sends it again.
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    const waiting = takeAfterSignIn(place);
    setText((now) => waiting?.text ?? (readDraft(place) || now));
    if (!waiting || !signedIn || !resume) return;
    tried.current = waiting;
    void send(waiting);
  }, [place, resume, send, signedIn]);

  useEffect(
    () =>
      heardExample((example) => {
        write(example);
        field.current?.focus();
      }),
    [write],
  );

  function submit(): void {
    const trimmed = text.trim();
    if (trimmed === '' || pending) return;
    // A message whose answer was lost may have arrived: under the same name it is the same message.
    const messageId = tried.current?.text === trimmed ? tried.current.messageId : newUuid();
    const message = { messageId, text: trimmed };
    tried.current = message;
    if (signedIn) return void send(message);
    keepForSignIn(place, { ...message, files: [], taskId: undefined });
    window.location.assign(signInPath(`${agentPath(slug)}?try=1#try`));
  }

  return { text, write, field, pending, problem, posted, submit };
}

interface Post {
  send: (message: { messageId: string; text: string }) => Promise<void>;
  pending: boolean;
  problem: string;
}

function usePost(agentSlug: string, onPosted: (posted: PostedMessage) => void): Post {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState('');

  async function send({ messageId, text }: { messageId: string; text: string }): Promise<void> {
    setPending(true);
    setProblem('');
    const answer = await callApi('POST', '/api/chat/messages', { messageId, text, files: [], agentSlug });
    setPending(false);
    if (answer.ok) onPosted(answer.body as PostedMessage);
    else setProblem(answer.problem.title);
  }

  return { send, pending, problem };
}
