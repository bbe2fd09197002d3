/** Notices workers that hang. */
@NullMarked
package io.millrace.loop.watch;

import org.jspecify.annotations.NullMarked;
