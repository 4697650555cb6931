import { mount } from '@/lib/endpoints/mount';

export const PUT = mount('PUT', '/api/chat/tasks/:id/feedback/:seq');
export const DELETE = mount('DELETE', '/api/chat/tasks/:id/feedback/:seq');
