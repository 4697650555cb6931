'use client';

import { PanelLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { IconButton } from '../ui/icon-button';
import { ConversationList } from './conversation-list';

/** The list of conversations on a sheet, where there is no room for a sidebar. Leaves with the page that it stands on. */
export function ConversationSheet(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      onOpenChange={setOpen}
      open={open}
      shape="sheet-left"
      title="Conversations"
      trigger={
        <IconButton className="-ml-1 md:hidden" label="Conversations">
          <PanelLeft aria-hidden size={20} strokeWidth={1.75} />
        </IconButton>
      }
    >
      <ConversationList idPrefix="sheet" />
    </Dialog>
  );
}
