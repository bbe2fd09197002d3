@NullMarked
package io.millrace.path.region;

import org.jspecify.annotations.NullMarked;
