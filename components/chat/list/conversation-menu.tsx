import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ArchiveIcon, PencilIcon, PinIcon, TrashIcon } from '../../ui/display/action-icons';
import { Menu, MenuItem } from '../../ui/overlays/menu';

export interface ConversationMenuProps {
  trigger: ReactNode;
  pinned: boolean;
  archived: boolean;
  onRename: () => void;
  onPin: (pinned: boolean) => void;
  onArchive: (archived: boolean) => void;
  onDelete: () => void;
}

/** Actions on a conversation in the list. */
export function ConversationMenu({ trigger, pinned, archived, ...actions }: ConversationMenuProps): ReactNode {
  const t = useTranslations('chat.conversationMenu');
  return (
    <Menu startsOpen trigger={trigger}>
      <MenuItem icon={<PencilIcon size={16} />} onSelect={actions.onRename}>
        {t('rename')}
      </MenuItem>
      <MenuItem icon={<PinIcon size={16} />} onSelect={() => actions.onPin(!pinned)}>
        {t(pinned ? 'unpin' : 'pin')}
      </MenuItem>
      <MenuItem icon={<ArchiveIcon size={16} />} onSelect={() => actions.onArchive(!archived)}>
        {t(archived ? 'restore' : 'archive')}
      </MenuItem>
      <MenuItem danger icon={<TrashIcon size={16} />} onSelect={actions.onDelete}>
        {t('delete')}
      </MenuItem>
    </Menu>
  );
}
