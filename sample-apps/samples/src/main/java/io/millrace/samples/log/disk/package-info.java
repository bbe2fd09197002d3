/** The part of a replica's state that is kept on its disk. */
@NullMarked
package io.millrace.samples.log.disk;

import org.jspecify.annotations.NullMarked;
