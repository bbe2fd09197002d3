/** The workers of a pair, which a program turns by hand, and their calls and streams. */
@NullMarked
package io.millrace.testkit.internal.path;

import org.jspecify.annotations.NullMarked;
