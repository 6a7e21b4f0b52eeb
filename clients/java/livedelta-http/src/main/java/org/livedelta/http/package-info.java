/** Sends by {@code java.net.http}. */
@NullMarked
package org.livedelta.http;

import org.jspecify.annotations.NullMarked;
