import { useRouter } from 'next/navigation';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useRefreshConversations } from './use-conversation-list';

interface Rename {
  renaming: boolean;
  start: () => void;
  end: (title: string | null, byKey: boolean) => void;
  /** Contains the menu button, to which the focus returns. */
  menu: RefObject<HTMLSpanElement | null>;
}

/** Renames the open conversation in its header. */
export function useRename(): Rename {
  const router = useRouter();
  const refresh = useRefreshConversations();
  const [renaming, setRenaming] = useState(false);
  const menu = useRef<HTMLSpanElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (renaming || !returns.current) return;
    returns.current = false;
    menu.current?.querySelector('button')?.focus();
  }, [renaming]);

  // Later than the closing menu, which focuses its button.
  const start = useCallback(() => void setTimeout(() => setRenaming(true), 0), []);
  const end = useCallback(
    (title: string | null, byKey: boolean) => {
      returns.current = byKey;
      setRenaming(false);
      if (title === null) return;
      void refresh();
      router.refresh();
    },
    [refresh, router],
  );
  return { renaming, start, end, menu };
}
