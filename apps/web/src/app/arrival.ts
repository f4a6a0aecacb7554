/** What is shown to everybody: the legal pages and the frames. A test holds this to the routes, and /theme.js to this. */
export const OPEN_TO_ALL =
  /^\/(terms-and-conditions|responsible-gaming|videoPage|liveStream(Cricket(Int)?|Internal)?|scoreBoardPage)(\/|$)/;

/**
 * Whether who opens this address meets the sign-in. He then gets the form alone (entrance.tsx): the guards of the whole
 * client would lead him there too, after four times as much had been loaded.
 */
export const comesToSignIn = (path: string, signedIn: boolean): boolean => !signedIn && !OPEN_TO_ALL.test(path);
