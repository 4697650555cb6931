import { mount } from '@/lib/endpoints/mount';

export const DELETE = mount('DELETE', '/api/chat/shares/:id');
