import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Menu, MenuItem } from '../ui/menu';
import { PencilIcon, TrashIcon } from './icons';

export interface ConversationMenuProps {
  trigger: ReactNode;
  onRename: () => void;
  onDelete: () => void;
}

/** Actions on a conversation in the list. */
export function ConversationMenu({ trigger, onRename, onDelete }: ConversationMenuProps): ReactNode {
  const t = useTranslations('chat.conversationMenu');
  return (
    <Menu startsOpen trigger={trigger}>
      <MenuItem icon={<PencilIcon size={16} />} onSelect={onRename}>
        {t('rename')}
      </MenuItem>
      <MenuItem danger icon={<TrashIcon size={16} />} onSelect={onDelete}>
        {t('delete')}
      </MenuItem>
    </Menu>
  );
}
