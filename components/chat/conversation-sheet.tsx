'use client';

import { type ReactNode, useState } from 'react';
import { IconButton } from '../ui/icon-button';
import { LazyDialog } from '../ui/lazy-dialog';
import { ConversationList } from './conversation-list';
import { SidebarIcon } from './icons';

/** The list of conversations on a sheet, where there is no room for a sidebar. Leaves with the page that it stands on. */
export function ConversationSheet(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        aria-expanded={open}
        aria-haspopup="dialog"
        className="-ms-1 md:hidden"
        label="Conversations"
        onClick={() => setOpen(true)}
      >
        <SidebarIcon size={20} />
      </IconButton>
      {open ? (
        <LazyDialog onOpenChange={setOpen} shape="sheet-start" title="Conversations">
          <ConversationList idPrefix="sheet" />
        </LazyDialog>
      ) : null}
    </>
  );
}
