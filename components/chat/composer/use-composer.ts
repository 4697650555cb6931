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
import type { ChatLimits } from '../../../lib/chat/schema';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import { useInitialText, usePrehydrationValue } from '../../forms/use-initial-text';
import { newChatPath } from '../../routes';
import { announce } from '../../ui/overlays/announcer';
import { type Attachment, lengthProblem } from '../state/attachments';
import { mergeWithDraft, readAttachments, readDraft, saveAttachments, saveDraft } from '../state/drafts';

/** The field's id, used to find it before hydration. */
export const composerFieldId = 'composer-text';

export interface ComposerState {
  text: string;
  files: Attachment[];
  /** The reason why the message cannot be sent or a file cannot be attached. */
  problem: string | null;
  /** The reason why nothing was sent although the message is valid. */
  hint: string | null;
  /** Displays and announces such a reason, or clears it. */
  explain: (hint: string | null) => void;
  field: RefObject<HTMLTextAreaElement | null>;
  write: (text: string) => void;
  /** Fills in a suggestion and focuses the field. */
  suggest: (text: string) => void;
  attach: (chosen: Iterable<File> | null) => void;
  detach: (name: string) => void;
  /** Validates the message and removes it from the composer; null if there is none to send. */
  take: () => { text: string; files: Attachment[] } | null;
  /** Restores a message that was not sent. */
  restore: (message: { text: string; files: Attachment[] }) => void;
}

interface ComposerOptions {
  /** Storage key of the draft. */
  storageKey: string;
  agent: ChatAgent;
  limits: ChatLimits;
  prefill: string;
}

/** Returns the composer's content: text that survives a reload, and files that are checked before they are read. */
export function useComposer({ storageKey, agent, limits, prefill }: ComposerOptions): ComposerState {
  const tAttachments = useTranslations('chat.attachments');
  const initialText = useInitialText(composerFieldId, prefill);
  const [text, setText] = useState(initialText);
  const [files, setFiles] = useAttachments(storageKey);
  const [problem, setProblem] = useState<string | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutoHeight(field, text);

  const write = useCallback(
    (next: string) => {
      setText(next);
      setProblem(null);
      setHint(null);
      saveDraft(storageKey, next);
    },
    [storageKey],
  );
  useDraft({ storageKey, agentSlug: agent.slug, prefill, initialText, field, write, setText });

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
    const tooLong = lengthProblem({ text, files }, limits, tAttachments);
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

  const detach = useCallback(
    (name: string) => setFiles((current) => current.filter((file) => file.name !== name)),
    [setFiles],
  );
  return { text, files, problem, hint, explain, field, write, suggest, attach, detach, take, restore };
}

interface AttachOptions extends Pick<ComposerOptions, 'agent' | 'limits'> {
  files: Attachment[];
  setFiles: Dispatch<SetStateAction<Attachment[]>>;
  setProblem: (problem: string | null) => void;
}

/** Attaches files that were chosen, dropped or pasted: all of them, or none with the reason. */
function useAttach({ agent, limits, files, setFiles, setProblem }: AttachOptions): ComposerState['attach'] {
  const t = useTranslations('chat.useComposer');
  const tAttachments = useTranslations('chat.attachments');
  return useCallback(
    async (chosen: Iterable<File> | null) => {
      const list = [...(chosen ?? [])];
      if (list.length === 0) return;
      const modes = agent.inputModes;
      const { attachmentProblem, readAttachment } = await import('../parts/form/read-attachment');
      const refusal = attachmentProblem(list, {
        agentName: agent.name,
        modes,
        limits,
        attached: files,
        t: tAttachments,
      });
      setProblem(refusal);
      if (refusal) {
        announce(refusal, 'assertive');
        return;
      }
      const read = await Promise.all(list.map((file) => readAttachment(file, modes)));
      // A file replaces an earlier one with the same name.
      const names = new Set(read.map(({ name }) => name));
      setFiles((current) => [...current.filter(({ name }) => !names.has(name)), ...read]);
      announce(t('attached', { names: list.map(({ name }) => name).join(', ') }));
    },
    [agent, files, limits, setFiles, setProblem, t, tAttachments],
  );
}

/** Returns the attached files. Like the draft, they belong to the storage key, but only until the page is reloaded. */
function useAttachments(storageKey: string): [Attachment[], Dispatch<SetStateAction<Attachment[]>>] {
  const [files, setFiles] = useState(() => readAttachments(storageKey));
  useEffect(() => saveAttachments(storageKey, files), [files, storageKey]);
  return [files, setFiles];
}

interface DraftOptions extends Pick<ComposerOptions, 'storageKey' | 'prefill'>, Pick<ComposerState, 'field' | 'write'> {
  agentSlug: string;
  /** The field's initial text: `prefill`, or the text that the user typed before hydration. */
  initialText: string;
  setText: Dispatch<SetStateAction<string>>;
}

/** Fills the field with the draft, text typed before hydration, or the URL's prefill. */
function useDraft({ storageKey, agentSlug, prefill, initialText, field, write, setText }: DraftOptions): void {
  // From now on, the draft applies, because after a reload the URL's text must not undo edits.
  useLayoutEffect(() => {
    if (prefill !== '') saveDraft(storageKey, initialText);
  }, [initialText, storageKey, prefill]);
  usePrehydrationValue(field, (prehydrationText) =>
    write(prefill === '' ? mergeWithDraft(storageKey, prehydrationText) : prehydrationText),
  );

  useEffect(() => {
    if (prefill === '') setText((current) => readDraft(storageKey) || current);
    else window.history.replaceState(null, '', newChatPath(agentSlug));
  }, [agentSlug, storageKey, prefill, setText]);
}

/** Adjusts the height of the field to its text, up to a limit in CSS. */
function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    if (text !== '') element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
