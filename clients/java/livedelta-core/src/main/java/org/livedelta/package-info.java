/** Follows and writes collections of a LiveDelta service. */
@NullMarked
package org.livedelta;

import org.jspecify.annotations.NullMarked;
