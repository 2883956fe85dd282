import { ProfileView } from '@/components/people/profile-view';

export default function ProfilePage() {
  return <ProfileView />;
}
