/** A path between two workers, to study by hand: on one thread, without sockets and actors. */
@NullMarked
package io.millrace.testkit.path;

import org.jspecify.annotations.NullMarked;
