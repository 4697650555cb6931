import { useTranslations } from 'next-intl';
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ChatAgent, ChatLimits } from '../../lib/chat/schema';
import { newChatPath } from '../shell/routes';
import { announce } from '../ui/announcer';
import { useEarlyText, useFirstText } from '../ui/use-early-text';
import { type Attachment, readAttachment, whyRefused, whyTooLong } from './attachments';
import { draftAnd, keepAttached, keepDraft, readAttached, readDraft } from './drafts';

/** The field's id, by which it is found before React knows of it. */
export const composerFieldId = 'composer-text';

export interface ComposerState {
  text: string;
  files: Attachment[];
  /** What keeps the message from being sent or a file from being attached. */
  problem: string | null;
  /** Why nothing was sent although nothing is wrong with the message. */
  hint: string | null;
  /** Shows and announces such a reason, or takes it away. */
  explain: (hint: string | null) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  write: (text: string) => void;
  /** Writes what was suggested and goes there. */
  suggest: (text: string) => void;
  attach: (chosen: Iterable<File> | null) => void;
  detach: (name: string) => void;
  /** Checks the message and takes it out of the composer; null when there is none to send. */
  take: () => { text: string; files: Attachment[] } | null;
  /** Puts a message back that did not leave. */
  restore: (message: { text: string; files: Attachment[] }) => void;
}

interface ComposerOptions {
  /** Where the draft is kept. */
  place: string;
  agent: ChatAgent;
  limits: ChatLimits;
  prefill: string;
}

/** What stands in the composer: text that survives a reload, files that were checked before they were read. */
export function useComposer({ place, agent, limits, prefill }: ComposerOptions): ComposerState {
  const tAttachments = useTranslations('chat.attachments');
  const first = useFirstText(composerFieldId, prefill);
  const [text, setText] = useState(first);
  const [files, setFiles] = useAttached(place);
  const [problem, setProblem] = useState<string | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useHeightOfText(field, text);

  const write = useCallback(
    (next: string) => {
      setText(next);
      setProblem(null);
      setHint(null);
      keepDraft(place, next);
    },
    [place],
  );
  useDraft({ place, agentSlug: agent.slug, prefill, first, field, write, setText });

  const suggest = useCallback(
    (next: string) => {
      write(next);
      field.current?.focus();
    },
    [write],
  );

  const attach = useAttach({ agent, limits, files, setFiles, setProblem });

  const take = useCallback(() => {
    if (text.trim() === '' && files.length === 0) return null;
    const tooLong = whyTooLong({ text, files }, limits, tAttachments);
    setProblem(tooLong);
    if (tooLong) {
      announce(tooLong, 'assertive');
      return null;
    }
    write('');
    setFiles([]);
    return { text, files };
  }, [text, files, limits, setFiles, tAttachments, write]);

  const restore = useCallback(
    (message: { text: string; files: Attachment[] }) => {
      write(message.text);
      setFiles(message.files);
    },
    [setFiles, write],
  );

  const explain = useCallback((reason: string | null) => {
    setHint(reason);
    if (reason) announce(reason, 'assertive');
  }, []);

  const detach = useCallback((name: string) => setFiles((old) => old.filter((file) => file.name !== name)), [setFiles]);
  return { text, files, problem, hint, explain, field, write, suggest, attach, detach, take, restore };
}

interface AttachOptions extends Pick<ComposerOptions, 'agent' | 'limits'> {
  files: Attachment[];
  setFiles: Dispatch<SetStateAction<Attachment[]>>;
  setProblem: (problem: string | null) => void;
}

/** Attaches files that were chosen, dropped or pasted, all of them or, with the reason, none. */
function useAttach({ agent, limits, files, setFiles, setProblem }: AttachOptions): ComposerState['attach'] {
  const t = useTranslations('chat.useComposer');
  const tAttachments = useTranslations('chat.attachments');
  return useCallback(
    (chosen: Iterable<File> | null) => {
      const list = [...(chosen ?? [])];
      if (list.length === 0) return;
      const modes = agent.inputModes;
      const refusal = whyRefused(list, { agentName: agent.name, modes, limits, attached: files, t: tAttachments });
      setProblem(refusal);
      if (refusal) {
        announce(refusal, 'assertive');
        return;
      }
      void Promise.all(list.map((file) => readAttachment(file, modes))).then((read) => {
        // A file of the same name takes the place of the earlier one.
        const names = new Set(read.map(({ name }) => name));
        setFiles((old) => [...old.filter(({ name }) => !names.has(name)), ...read]);
        announce(t('attached', { names: list.map(({ name }) => name).join(', ') }));
      });
    },
    [agent, files, limits, setFiles, setProblem, t, tAttachments],
  );
}

/** The files that wait; like the draft they belong to the place, until the page is loaded anew. */
function useAttached(place: string): [Attachment[], Dispatch<SetStateAction<Attachment[]>>] {
  const [files, setFiles] = useState(() => readAttached(place));
  useEffect(() => keepAttached(place, files), [files, place]);
  return [files, setFiles];
}

interface DraftOptions extends Pick<ComposerOptions, 'place' | 'prefill'>, Pick<ComposerState, 'field' | 'write'> {
  agentSlug: string;
  /** What the field began with: `prefill`, or what somebody has made of it meanwhile. */
  first: string;
  setText: Dispatch<SetStateAction<string>>;
}

/** What the field begins with: the draft, what was written before the page listened, or what the address says. */
function useDraft({ place, agentSlug, prefill, first, field, write, setText }: DraftOptions): void {
  // From here on the draft is what counts: after a reload, text that stood in the address must not undo what was changed.
  useLayoutEffect(() => {
    if (prefill !== '') keepDraft(place, first);
  }, [first, place, prefill]);
  useEarlyText(field, (early) => write(prefill === '' ? draftAnd(place, early) : early));

  useEffect(() => {
    if (prefill === '') setText((now) => readDraft(place) || now);
    else window.history.replaceState(null, '', newChatPath(agentSlug));
  }, [agentSlug, place, prefill, setText]);
}

/** The field is as high as its text; CSS says how high it may get. */
function useHeightOfText(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    if (text !== '') element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
