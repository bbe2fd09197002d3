/** Further attempts of failed calls: their budgets, and the calls that wait for an attempt. */
@NullMarked
package io.millrace.ends.retry;

import org.jspecify.annotations.NullMarked;
