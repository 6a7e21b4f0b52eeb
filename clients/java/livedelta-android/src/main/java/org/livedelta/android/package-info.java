/** Shows collections on Android. */
@NullMarked
package org.livedelta.android;

import org.jspecify.annotations.NullMarked;
