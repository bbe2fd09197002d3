@NullMarked
package io.millrace.access;

import org.jspecify.annotations.NullMarked;
