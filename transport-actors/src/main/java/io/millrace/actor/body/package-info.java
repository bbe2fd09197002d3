/** Bodies of transfers on application threads: read, sealed, opened, written. */
@NullMarked
package io.millrace.actor.body;

import org.jspecify.annotations.NullMarked;
