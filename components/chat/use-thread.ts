import { useTranslations } from 'next-intl';
import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { PostedMessage, ThreadView } from '../../lib/chat/schema';
import { toast } from '../ui/toast';
import { ApiError, cancelTask, eventsUrl, postMessage, readThread } from './api';
import { keepUnsent, placeOf, readUnsent } from './drafts';
import { type FeedStatus, openFeed } from './event-feed';
import { beginThread, type OwnMessage, reduceThread, type ThreadAction, type ThreadState } from './thread-state';
import { useProblem } from './use-problem';

/** `gone`: deleted elsewhere. `signed-out`: the session ended. */
export type Connection = FeedStatus | 'gone' | 'signed-out';

export interface Thread {
  state: ThreadState;
  connection: Connection;
  /** Sends a message, or the same one once more. */
  send: (message: OwnMessage) => void;
  /** Stops a message with files that is on its way to Parley. */
  cancelSending: (messageId: string) => void;
  discard: (messageId: string) => void;
  stop: (taskId: string) => void;
  /** There are tasks before the first of `state`. */
  hasOlder: boolean;
  /** Reads them, a page at a time. */
  loadOlder: () => Promise<void>;
}

interface ThreadOptions {
  /** Null while the conversation is only about to begin. */
  thread: ThreadView | null;
  agentSlug: string;
  /** A message is on disk, in this version of the conversation. */
  onAccepted: (posted: PostedMessage) => void;
}

/** A conversation as it lives on this page: the server's story, what is on its way there, and the line between the two. */
export function useThread({ thread, agentSlug, onAccepted }: ThreadOptions): Thread {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id;
  const [state, dispatch] = useReducer(reduceThread, thread?.tasks ?? [], beginThread);
  const older = useOlder(thread, state, dispatch);
  const connection = useFeed({ thread, broken: state.broken, dispatch, onLoaded: older.setHasOlder });
  useUnsent(placeOf(conversationId, agentSlug), state, dispatch);

  const uploads = useRef(new Map<string, () => void>());
  const cancelSending = useCallback((messageId: string) => uploads.current.get(messageId)?.(), []);

  const send = useCallback(
    (message: OwnMessage) => {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      const post = postMessage(
        { ...message, ...(conversationId === null ? { agentSlug } : { conversationId, branch }) },
        (progress) => dispatch({ type: 'progress', messageId, progress }),
      );
      uploads.current.set(messageId, post.cancel);
      post.answer
        .finally(() => uploads.current.delete(messageId))
        .then(
          (posted) => {
            dispatch({ type: 'accepted', messageId });
            onAccepted(posted);
          },
          (error: unknown) => dispatch({ type: 'not-sent', messageId, problem: problemOf(error) }),
        );
    },
    [agentSlug, branch, conversationId, onAccepted, problemOf],
  );

  const stop = useCallback(
    (taskId: string) => {
      if (conversationId === null) return;
      dispatch({ type: 'stopping', taskId });
      cancelTask(conversationId, taskId).catch((error: unknown) => {
        dispatch({ type: 'not-stopped', taskId });
        toast({ tone: 'danger', text: t('notStopped', { problem: problemOf(error) }) });
      });
    },
    [conversationId, problemOf, t],
  );

  const discard = useCallback((messageId: string) => dispatch({ type: 'discarded', messageId }), []);
  const { hasOlder, loadOlder } = older;
  return { state, connection, send, cancelSending, discard, stop, hasOlder, loadOlder };
}

interface FeedUse {
  thread: ThreadView | null;
  broken: boolean;
  dispatch: Dispatch<ThreadAction>;
  /** The thread was loaded anew, from its end; says whether there is more before it. */
  onLoaded: (hasOlder: boolean) => void;
}

/** Keeps the stream of updates open, and loads the whole thread anew where the stream cannot go on. */
function useFeed({ thread, broken, dispatch, onLoaded }: FeedUse): Connection {
  const conversationId = thread?.conversation.id ?? null;
  const branch = thread?.branch.id ?? '';
  const [connection, setConnection] = useState<Connection>('live');
  const [cursor, setCursor] = useState(thread?.cursor ?? '');

  /** Answers whether trying again makes sense. */
  const reload = useCallback(
    async (id: string): Promise<boolean> => {
      try {
        const fresh = await readThread(id, branch);
        dispatch({ type: 'loaded', tasks: fresh.tasks });
        onLoaded(fresh.hasOlder);
        setCursor(fresh.cursor);
        return true;
      } catch (error) {
        const status = error instanceof ApiError ? error.status : 0;
        if (status === 401 || status === 403) setConnection('signed-out');
        else if (status === 404) setConnection('gone');
        return status === 0 || status === 429 || status >= 500;
      }
    },
    [branch, dispatch, onLoaded],
  );

  useEffect(() => {
    if (conversationId === null) return;
    return openFeed({
      cursor,
      urlOf: (from) => eventsUrl(conversationId, branch, from),
      onUpdates: (updates) => dispatch({ type: 'updated', updates }),
      onStatus: setConnection,
      onRefused: () => reload(conversationId),
    });
  }, [branch, conversationId, cursor, dispatch, reload]);

  useEffect(() => {
    if (broken && conversationId !== null) void reload(conversationId);
  }, [broken, conversationId, reload]);

  return connection;
}

/** The way to what was said before the page begins. */
function useOlder(
  thread: ThreadView | null,
  { tasks }: ThreadState,
  dispatch: Dispatch<ThreadAction>,
): Pick<Thread, 'hasOlder' | 'loadOlder'> & { setHasOlder: (hasOlder: boolean) => void } {
  const t = useTranslations('chat.useThread');
  const problemOf = useProblem();
  const [hasOlder, setHasOlder] = useState(thread?.hasOlder ?? false);
  const loading = useRef<string | null>(null);
  const conversationId = thread?.conversation.id;
  const branch = thread?.branch.id ?? '';
  const first = tasks[0]?.id;
  const begins = useRef(first);
  begins.current = first;

  const loadOlder = useCallback(async () => {
    if (conversationId === undefined || first === undefined || loading.current === first) return;
    loading.current = first;
    try {
      const page = await readThread(conversationId, branch, first);
      // Loaded anew meanwhile, from its end: between this page and what is there now something would be missing.
      if (begins.current !== first) return;
      dispatch({ type: 'older', tasks: page.tasks });
      setHasOlder(page.hasOlder);
    } catch (error) {
      toast({ tone: 'danger', text: t('olderNotLoaded', { problem: problemOf(error) }) });
    } finally {
      if (loading.current === first) loading.current = null;
    }
  }, [branch, conversationId, dispatch, first, problemOf, t]);

  return { hasOlder, loadOlder, setHasOlder };
}

/** Messages that are not known to have reached the server outlive the page; after a reload the person decides about them. */
function useUnsent(place: string, { outgoing }: ThreadState, dispatch: Dispatch<ThreadAction>): void {
  const t = useTranslations('chat.useThread');
  // New words must not read the messages anew: some of them are on their way by then.
  const words = useRef(t);
  words.current = t;
  useEffect(() => {
    for (const message of readUnsent(place)) {
      const { messageId } = message;
      dispatch({ type: 'sending', message });
      dispatch({ type: 'not-sent', messageId, problem: words.current('leftBeforeSent') });
    }
  }, [place, dispatch]);

  useEffect(() => {
    const open = outgoing.filter(({ accepted }) => !accepted);
    keepUnsent(
      place,
      open.map(({ messageId, text, files, taskId, edits }) => ({ messageId, text, files, taskId, edits })),
    );
  }, [place, outgoing]);
}
