/** The wire: the packet envelope by hand, the frames generated from {@code millrace.xml}. */
@NullMarked
package io.millrace.wire;

import org.jspecify.annotations.NullMarked;
