import type { ReactNode } from 'react';
import { IconButton } from '../ui/icon-button';
import { SearchIcon } from '../ui/icons';
import { Menu, MenuItem } from '../ui/menu';
import { exportUrl } from './api';
import { DownloadIcon, MoreIcon, ShareIcon } from './icons';

export interface ThreadMenuProps {
  conversationId: string;
  branch: string;
  onFind: () => void;
  onShare: () => void;
}

/** What can be done with a whole conversation. */
export function ThreadMenu({ conversationId, branch, onFind, onShare }: ThreadMenuProps): ReactNode {
  return (
    <Menu
      trigger={
        <IconButton label="More on this conversation">
          <MoreIcon size={20} />
        </IconButton>
      }
    >
      <MenuItem icon={<SearchIcon size={16} />} onSelect={onFind}>
        Find in it
      </MenuItem>
      <MenuItem icon={<ShareIcon size={16} />} onSelect={onShare}>
        Share
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'markdown')}>
          <DownloadIcon size={16} /> Export as Markdown
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'json')}>
          <DownloadIcon size={16} /> Export as JSON
        </a>
      </MenuItem>
    </Menu>
  );
}
