'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { IconButton } from '../ui/controls/button';
import { SidebarIcon } from '../ui/display/action-icons';
import { LazyDialog } from '../ui/overlays/lazy';
import { ConversationList } from './conversation-list';

/** The list of conversations on a sheet, where there is no room for a sidebar. Unmounts with its page. */
export function ConversationSheet(): ReactNode {
  const t = useTranslations('chat.conversationSheet');
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        aria-expanded={open}
        aria-haspopup="dialog"
        className="-ms-1 md:hidden"
        label={t('title')}
        onClick={() => setOpen(true)}
      >
        <SidebarIcon size={20} />
      </IconButton>
      {open ? (
        <LazyDialog onOpenChange={setOpen} shape="sheet-start" title={t('title')}>
          <ConversationList idPrefix="sheet" />
        </LazyDialog>
      ) : null}
    </>
  );
}
