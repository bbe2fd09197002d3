/** What a replica keeps on its disk. */
@NullMarked
package io.millrace.samples.log.disk;

import org.jspecify.annotations.NullMarked;
