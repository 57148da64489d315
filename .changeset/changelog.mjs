// The notes of a release without commits and dependencies: their readers see only the product.
export const getReleaseLine = ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`;
export const getDependencyReleaseLine = () => '';
