package io.millrace.testkit.sim.patch;

import static java.lang.constant.DirectMethodHandleDesc.Kind.STATIC;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;

/**
 * A static method answers to another one of {@link SimulatedCalls}, with the same arguments.
 *
 * @param target the method's name there
 * @param result what that returns
 */
record Redirect(String target, ClassDesc result) implements Rewrite {
  @Override
  public void emit(CodeBuilder code, InvokeInstruction call) {
    code.invokestatic(Descriptors.CALLS, target, redirected(call.typeSymbol()));
  }

  @Override
  public DirectMethodHandleDesc reference(DirectMethodHandleDesc called) {
    return MethodHandleDesc.ofMethod(
        STATIC, Descriptors.CALLS, target, redirected(called.invocationType()));
  }

  private MethodTypeDesc redirected(MethodTypeDesc type) {
    return type.changeReturnType(result);
  }
}
