package io.millrace.testkit.internal.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * Replaces a static method by another static method, with the same arguments.
 *
 * @param home the class of the other method
 * @param target the other method's name
 * @param result the other method's result type
 */
record Redirect(ClassDesc home, String target, ClassDesc result) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.invokestatic(home, target, redirected(call.typeSymbol()));
  }

  @Override
  public DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return MethodHandleDesc.ofMethod(STATIC, home, target, redirected(called.invocationType()));
  }

  private MethodTypeDesc redirected(MethodTypeDesc type) {
    return type.changeReturnType(result);
  }
}
