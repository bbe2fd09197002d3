@NullMarked
package io.millrace.worker;

import org.jspecify.annotations.NullMarked;
